//! Stepping through one execution.

use crate::check::{engine_options, scene};
use crate::types::CheckOptions;
use crate::values::{give, take};
use tidegate_check::step;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// One execution of a scenario, performed step by step, forwards and backwards. Steps are identified by stable keys.
#[wasm_bindgen]
pub struct Stepper {
    inner: step::Stepper,
}

#[wasm_bindgen]
impl Stepper {
    /// Creates an execution at launch. Throws if the scenario has errors, which `check` reports.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    ) -> Result<Self, JsError> {
        let options: CheckOptions = take(options)?;
        let inner = step::Stepper::new(&scene(text, &options), &engine_options(&options)?)
            .ok_or_else(|| {
                JsError::new("the scenario has errors: see the diagnostics of `check`")
            })?;
        Ok(Self { inner })
    }

    /// Creates an execution at launch on the hardware model (public, not measured): one-bit on AMDGPU, parity hardware on NVIDIA.
    /// Throws if the target has no model or the model does not support the scenario.
    #[wasm_bindgen(js_name = ofMachine)]
    pub fn of_machine(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    ) -> Result<Self, JsError> {
        let options: CheckOptions = take(options)?;
        let inner = step::Stepper::of_machine(&scene(text, &options), &engine_options(&options)?)
            .ok_or_else(|| JsError::new("no hardware model supports this scenario"))?;
        Ok(Self { inner })
    }

    /// Returns the execution so far, and the possible next steps.
    #[wasm_bindgen(unchecked_return_type = "View")]
    pub fn view(&self) -> Result<JsValue, JsError> {
        give(&self.inner.view())
    }

    /// Returns the memory state: marks, copies in flight, fence synchronisation, conflicting accesses.
    #[wasm_bindgen(unchecked_return_type = "MemoryView")]
    pub fn memory(&self) -> Result<JsValue, JsError> {
        give(&self.inner.memory())
    }

    /// Performs the step with a key. Throws if it is not possible now.
    pub fn perform(&mut self, key: &str) -> Result<(), JsError> {
        self.inner.perform(key).map_err(|error| JsError::new(&error.to_string()))
    }

    /// Undoes the last step; returns false if there is none.
    pub fn back(&mut self) -> bool {
        self.inner.back()
    }

    /// Redoes the last undone step; returns false if there is none.
    pub fn forward(&mut self) -> bool {
        self.inner.forward()
    }

    /// Moves the cursor to a number of steps, among those performed and undone.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, length: usize) {
        self.inner.go_to(length);
    }

    /// Performs steps from launch; returns the number of performed steps.
    pub fn load(&mut self, keys: Vec<String>) -> usize {
        self.inner.load(&keys)
    }

    /// Returns the keys of the performed steps.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
}

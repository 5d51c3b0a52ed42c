//! Stepping through one execution.

use crate::check::{engine_options, scene};
use crate::types::CheckOptions;
use crate::values::{give, take};
use tidegate_check::step;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

/// One execution of a scenario, performed a step at a time, forwards and backwards. Steps are named by stable keys.
#[wasm_bindgen]
pub struct Stepper {
    inner: step::Stepper,
}

#[wasm_bindgen]
impl Stepper {
    /// At launch, before any step. Throws where the scenario is invalid: `check` says why.
    #[wasm_bindgen(constructor)]
    pub fn new(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    ) -> Result<Self, JsError> {
        let options: CheckOptions = take(options)?;
        let inner = step::Stepper::new(&scene(text, &options), &engine_options(&options)?)
            .ok_or_else(|| JsError::new("the scenario is invalid: its report says where"))?;
        Ok(Self { inner })
    }

    /// At launch on the machine of the second oracle, as publicly modelled: one-bit on AMDGPU, parity hardware on NVIDIA.
    /// Throws where there is none, or it has not what the scenario uses.
    #[wasm_bindgen(js_name = ofMachine)]
    pub fn of_machine(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: JsValue,
    ) -> Result<Self, JsError> {
        let options: CheckOptions = take(options)?;
        let inner = step::Stepper::of_machine(&scene(text, &options), &engine_options(&options)?)
            .ok_or_else(|| {
            JsError::new("there is no machine that has what the scenario uses")
        })?;
        Ok(Self { inner })
    }

    /// The execution so far, and what can be done next.
    #[wasm_bindgen(unchecked_return_type = "View")]
    pub fn view(&self) -> Result<JsValue, JsError> {
        give(&self.inner.view())
    }

    /// Memory beside the execution so far: marks, copies in flight, which fences synchronize, accesses that meet.
    #[wasm_bindgen(unchecked_return_type = "MemoryView")]
    pub fn memory(&self) -> Result<JsValue, JsError> {
        give(&self.inner.memory())
    }

    /// Performs the step of that key. Throws where it cannot be performed now.
    pub fn perform(&mut self, key: &str) -> Result<(), JsError> {
        self.inner.perform(key).map_err(|error| JsError::new(&error.to_string()))
    }

    /// Undoes the last step; false where there is none.
    pub fn back(&mut self) -> bool {
        self.inner.back()
    }

    /// Performs again what was undone last; false where there is nothing.
    pub fn forward(&mut self) -> bool {
        self.inner.forward()
    }

    /// Moves to where that many steps are performed, among those performed and undone.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, length: usize) {
        self.inner.go_to(length);
    }

    /// Performs steps from launch and returns how many could be performed.
    pub fn load(&mut self, keys: Vec<String>) -> usize {
        self.inner.load(&keys)
    }

    /// The keys of the steps performed so far.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.inner.keys()
    }
}

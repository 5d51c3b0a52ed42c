// Applies the kept choice of theme before anything is painted. Without one the page follows the system.
try {
  const theme = localStorage.getItem("tidegate.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be forbidden; then the system decides.
}

// Runs before anything is painted, so that a dark page never flashes white.
try {
  const theme = JSON.parse(localStorage.getItem("tabletalk.theme") ?? "null");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system decides.
}

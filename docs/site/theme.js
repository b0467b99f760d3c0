/* theme.js: dark and light themes if the theme's own script does not run
 *
 * Debian's furo has its script as a module, which browsers refuse in a plain page, and its style
 * sheet ignores the reader's preference. This script uses the preference until the button is
 * pressed, then the reader's choice, which it stores if the browser allows it. If furo's script
 * runs, it has removed the class no-js, and this script does nothing. */
(function() {
"use strict";
const system = window.matchMedia("(prefers-color-scheme: dark)");
const kept = () => {
  try {
    return localStorage.getItem("theme");
  } catch (e) {
    return null;
  }
};
const keep = (theme) => {
  try {
    localStorage.setItem("theme", theme);
  } catch (e) { /* from disk, some do not */
  }
};
const show = () => {
  const chosen = kept();
  document.body.dataset.theme = chosen === "dark" || chosen === "light" ? chosen :
      system.matches                                                    ? "dark" :
                                                                          "light";
};
function start() {
  if (!document.documentElement.classList.contains("no-js")) return;
  document.documentElement.classList.remove("no-js");
  show();
  system.addEventListener("change", show);
  for (const button of document.getElementsByClassName("theme-toggle"))
    button.addEventListener("click", () => {
      const theme = document.body.dataset.theme === "dark" ? "light" : "dark";
      keep(theme);
      document.body.dataset.theme = theme;
    });
}
if (document.readyState === "loading")
  document.addEventListener("DOMContentLoaded", start);
else
  start();
})();

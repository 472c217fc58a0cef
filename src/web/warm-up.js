// The first use of Intl loads the data of all locales, which takes as long as to evaluate the app.
// This runs while the app is downloaded.
Intl.DateTimeFormat()
// The browser offers only once to install the app, maybe before the app runs. The settings use it.
addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault()
  globalThis.installPrompt = event
})

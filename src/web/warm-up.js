// The first use of Intl loads the data of all locales, which takes as long as to evaluate the app.
// This runs while the app is downloaded.
Intl.DateTimeFormat()

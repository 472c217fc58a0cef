/** In this order: most of them call themselves by the names of others, too. */
const BROWSERS = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const
const SYSTEMS = [
  ['an iPhone', /\biPhone\b/],
  ['an iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['a Mac', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Said of whoever did not say it. */
export const UNKNOWN = 'Browser'

/** A browser and its system in words: Firefox on Windows. */
function browserIn(agent: string): string {
  const named = (all: readonly (readonly [string, RegExp])[]) =>
    all.find(([, sign]) => sign.test(agent))?.[0]
  const system = named(SYSTEMS)
  return (named(BROWSERS) ?? UNKNOWN) + (system ? ` on ${system}` : '')
}

/** This machine, or a proxy in front of the server: it tells nobody anything. */
const NEAR = /^(local$|127\.|::1$|::ffff:127\.)/
const PARTED = ', '

/** What its owner knows a session by, in the words in which it is kept. */
export const seatOf = (agent: string | null, address: string): string =>
  browserIn(agent ?? '') + (NEAR.test(address) ? '' : PARTED + address)

/** As it was kept: the browser, and the address where it is known. */
export function toldSeat(name: string): { browser: string; address: string | null } {
  const [browser = UNKNOWN, address] = name.split(PARTED)
  return { browser, address: address ?? null }
}

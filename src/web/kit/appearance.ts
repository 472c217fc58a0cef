import {
  APPEARANCE_NAMES,
  type Appearance,
  type AppearanceName,
  appearanceIn,
} from '../../design/appearance.ts'
import { basePath } from './base-path.ts'
import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (systemDark.matches ? 'dark' : 'light')
const chosen = createStore<Appearance>(appearanceIn(document.cookie))
const theme = createStore<Theme>(chosen.get().theme ?? systemTheme())
const YEAR_S = 365 * 24 * 60 * 60

function applyCookies() {
  const choices = appearanceIn(document.cookie)
  const { dataset } = document.documentElement
  for (const name of APPEARANCE_NAMES) {
    const value = choices[name]
    if (value) dataset[name] = value
    else delete dataset[name]
  }
  chosen.set(choices)
  theme.set(choices.theme ?? systemTheme())
}
systemDark.addEventListener('change', applyCookies)
// Another tab may have changed the appearance.
document.addEventListener('visibilitychange', applyCookies)

/** What somebody has chosen in this browser. */
export const useAppearance = chosen.use

/** Undefined is the default, which follows the system for the theme, motion and contrast. */
export function chooseAppearance<N extends AppearanceName>(name: N, value: Appearance[N]) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available in every browser
  document.cookie = `${name}=${value ?? ''}; Path=${basePath || '/'}; Max-Age=${value ? YEAR_S : 0}; SameSite=Lax`
  applyCookies()
}

/** Switching to the theme of the system follows the system again. */
export function toggleTheme() {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  chooseAppearance('theme', next === systemTheme() ? undefined : next)
}

/** The theme of the system, unless the user has chosen one in this browser. */
export const useTheme = theme.use

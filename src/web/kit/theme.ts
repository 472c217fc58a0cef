import { basePath } from './base-path.ts'
import { createStore } from './store.ts'

export type Theme = 'light' | 'dark'

const systemDark = matchMedia('(prefers-color-scheme: dark)')
const systemTheme = (): Theme => (systemDark.matches ? 'dark' : 'light')
/** Stored in a cookie, so that the server renders the page with it and nothing flashes. */
const savedTheme = () =>
  /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] as Theme | undefined
const theme = createStore<Theme>(savedTheme() ?? systemTheme())
const chosenTheme = createStore<Theme | undefined>(savedTheme())
const YEAR_S = 365 * 24 * 60 * 60

function applyTheme() {
  const saved = savedTheme()
  if (saved) document.documentElement.dataset.theme = saved
  else delete document.documentElement.dataset.theme
  chosenTheme.set(saved)
  theme.set(saved ?? systemTheme())
}
systemDark.addEventListener('change', applyTheme)
// Another tab may have changed the theme.
document.addEventListener('visibilitychange', applyTheme)

/** Undefined follows the system. */
function choose(next: Theme | undefined) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not available in every browser
  document.cookie = `theme=${next ?? ''}; Path=${basePath || '/'}; Max-Age=${next ? YEAR_S : 0}; SameSite=Lax`
  applyTheme()
}

/** Switching to the theme of the system follows the system again. */
function toggle() {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  choose(next === systemTheme() ? undefined : next)
}

/** The theme of the system, unless the user has chosen one in this browser. */
export const useTheme = () => ({
  theme: theme.use(),
  chosenTheme: chosenTheme.use(),
  toggle,
  choose,
})

import { cell } from '../data/cell.ts'

type Theme = 'light' | 'dark'

const asked = matchMedia('(prefers-color-scheme: dark)')
const asks = (): Theme => (asked.matches ? 'dark' : 'light')
/** In a cookie, so that the server writes it into the page and nothing flashes up. */
const chosen = () => /(?:^|; )theme=(light|dark)/.exec(document.cookie)?.[1] as Theme | undefined
const theme = cell<Theme>(chosen() ?? asks())
const YEAR_S = 365 * 24 * 60 * 60

function draw() {
  const own = chosen()
  if (own) document.documentElement.dataset.theme = own
  else delete document.documentElement.dataset.theme
  theme.put(own ?? asks())
}
asked.addEventListener('change', draw)
// It may have been turned in another tab.
document.addEventListener('visibilitychange', draw)

/** Whoever chooses what the system asks for goes on with the system. */
function turn() {
  const next = theme.get() === 'dark' ? 'light' : 'dark'
  const age = next === asks() ? 0 : YEAR_S
  // biome-ignore lint/suspicious/noDocumentCookie: the other way to write one is not known everywhere
  document.cookie = `theme=${next}; Path=/; Max-Age=${age}; SameSite=Lax`
  draw()
}

/** What the system asks for, unless somebody chose otherwise here. */
export const useTheme = () => ({ theme: theme.use(), turn })

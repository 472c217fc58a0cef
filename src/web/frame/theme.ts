import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

const YEAR_S = 365 * 24 * 60 * 60
const asked = matchMedia('(prefers-color-scheme: dark)')
const heard = new Set<() => void>()
const kept = () => localStorage.getItem('theme') as Theme | null
const now = (): Theme => kept() ?? (asked.matches ? 'dark' : 'light')

function draw() {
  const own = kept()
  if (own) document.documentElement.dataset.theme = own
  else delete document.documentElement.dataset.theme
  // The pages of the server have no script to look it up.
  // biome-ignore lint/suspicious/noDocumentCookie: browsers have the other way over HTTPS only
  document.cookie = `theme=${own ?? ''}; path=/; max-age=${own ? YEAR_S : 0}; samesite=lax`
  for (const tell of heard) tell()
}
asked.addEventListener('change', draw)
draw()

/** What the system asks for, unless somebody chose otherwise here. */
export function useTheme() {
  const theme = useSyncExternalStore((tell) => {
    heard.add(tell)
    return () => heard.delete(tell)
  }, now)
  const turn = () => {
    const next = theme === 'dark' ? 'light' : 'dark'
    if (next === (asked.matches ? 'dark' : 'light')) localStorage.removeItem('theme')
    else localStorage.setItem('theme', next)
    draw()
  }
  return { theme, turn }
}

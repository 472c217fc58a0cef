import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { accessibilityIssues } from './page-checks.ts'

/** What a careful person finds on a page: what axe finds, cut texts, and what Tab does not reach. */
export async function walkIssues(page: Page, isTouch: boolean): Promise<string[]> {
  const issues = [...(await accessibilityIssues(page)), ...(await cutTexts(page))]
  return [...issues, ...(isTouch ? await smallTargets(page) : await unreachable(page))]
}

/** Targets that a finger misses: smaller than 24 px, with others beside them. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run({
      runOnly: { type: 'rule', values: ['target-size'] },
      preload: false,
      iframes: false,
    })
    // A cover extends over its whole row.
    return violations
      .flatMap(({ nodes }) => nodes)
      .filter(({ html }) => !html.includes('cover'))
      .map(({ html }) => `too small: ${html}`)
  })

/** Labels of controls, and headings, of which a part is hidden without an ellipsis. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LABELS = 'button, a, label, h1, h2, h3, th, legend, [role=tab], [role=option], .badge'
    const isCut = (element: HTMLElement) => {
      const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(element)
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element
      const hidden = /hidden|clip/
      const isTooWide = scrollWidth > clientWidth + 1 && textOverflow !== 'ellipsis'
      const isTooHigh = scrollHeight > clientHeight + 3 && webkitLineClamp === 'none'
      return (hidden.test(overflowX) && isTooWide) || (hidden.test(overflowY) && isTooHigh)
    }
    return [...document.querySelectorAll<HTMLElement>(LABELS)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.clientWidth > 1 && !element.closest('.unseen') && isCut(element))
      .map((element) => `cut: ${element.outerHTML.slice(0, 200)}`)
  })

/** Controls that neither Tab nor the arrow keys of a list, a menu or a card reach. */
const unreachable = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const CONTROLS =
      'button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=link]'
    // The keys of a card open its fields; F2 goes to them.
    const WITH_KEYS =
      '[role=menu], [role=listbox], [role=grid], [role=tablist], [role=radiogroup], article, .cm-editor, .month, .calendar'
    return [...document.querySelectorAll<HTMLElement>(CONTROLS)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.tabIndex < 0 && !element.closest(`${WITH_KEYS}, [inert]`))
      .filter((element) => !element.matches(':disabled, [aria-hidden=true]'))
      .map((element) => `not reachable: ${element.outerHTML.slice(0, 200)}`)
  })

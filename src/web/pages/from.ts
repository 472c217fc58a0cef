/** Where one was before the first of the pages, so that Escape leads back there. */
interface From {
  from: string
}

const fromIn = (state: unknown): string | undefined => (state as From | null)?.from

/** Goes along with every way to a page. */
export const from = (): From => ({
  from: location.pathname.startsWith('/p/')
    ? (fromIn(history.state) ?? '')
    : location.pathname + location.search,
})

/** The way back; to the task of the page where it was opened by its address. */
export const wayBack = (ticket: string): string => fromIn(history.state) || `/t/${ticket}`

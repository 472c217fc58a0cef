export const SORTS = ['page', 'exploration', 'description', 'canvas'] as const
/** What somebody begins to write: a kind of page, or a canvas, which is a page of another form. */
export type Sort = (typeof SORTS)[number]

/** The address at which somebody writes a page that does not exist yet. */
export function newPath(ticket: string, sort: Sort, under?: number): string {
  const query = new URLSearchParams({ on: ticket, kind: sort })
  if (under !== undefined) query.set('under', String(under))
  return `/p/new?${query}`
}

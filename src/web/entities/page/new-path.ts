export const SORTS = ['page', 'exploration', 'description', 'canvas'] as const
/** What a new page can be: one of the kinds, or a canvas, which is a page in another format. */
export type Sort = (typeof SORTS)[number]

/** The URL of the editor for a new page. */
export function newPath(ticket: string, sort: Sort, under?: number): string {
  const query = new URLSearchParams({ on: ticket, kind: sort })
  if (under !== undefined) query.set('under', String(under))
  return `/p/new?${query}`
}

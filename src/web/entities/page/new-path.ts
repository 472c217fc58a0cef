export const NEW_PAGE_TYPES = ['page', 'exploration', 'description', 'canvas'] as const
/** What a new page can be: one of the kinds, or a canvas, which is a page in another format. */
export type NewPageType = (typeof NEW_PAGE_TYPES)[number]

/** The URL of the editor for a new page. */
export function newPath(ticket: string, type: NewPageType, parentId?: number): string {
  const query = new URLSearchParams({ on: ticket, kind: type })
  if (parentId !== undefined) query.set('under', String(parentId))
  return `/p/new?${query}`
}

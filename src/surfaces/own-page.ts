const pages = new WeakSet<Response>()
const requests = new WeakSet<Request>()

/**
 * Marks a page of the product itself. Below a path, the addresses in such pages get that path.
 * Reports, canvases and files are never marked: their markup is sent as it was written.
 */
export function ownPage(response: Response): Response {
  pages.add(response)
  return response
}

/** Elysia copies responses, so the mark moves to the request. */
export function markRequest(request: Request, response: Response) {
  if (pages.has(response)) requests.add(request)
}

/** Whether the response to this request is a page of the product itself. */
export const isForOwnPage = (request: Request): boolean => requests.has(request)

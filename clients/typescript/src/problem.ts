/** Why the server refused a request, or that it could not be reached. */
export class CorkboardError extends Error {
  override name = 'CorkboardError'
  /** A short class, as in "Validation error". */
  readonly error: string
  /** Names the field and says why it was rejected. */
  readonly details: { field?: string; code?: string; value?: unknown }
  /** What to do next. */
  readonly hint?: string
  /** For the operator, who finds the request in the log by it. */
  readonly requestId?: string

  constructor(
    /** The HTTP status. */
    readonly status: number,
    body: Partial<{ error: string; message: string; hint: string; request_id: string }> & {
      details?: CorkboardError['details']
    },
  ) {
    super(body.message ?? `The server answered with status ${status}`)
    this.error = body.error ?? 'Error'
    this.details = body.details ?? {}
    this.hint = body.hint
    this.requestId = body.request_id
  }
}

export async function problemOf(response: Response): Promise<CorkboardError> {
  const body = await response.json().catch(() => ({}))
  return new CorkboardError(response.status, body && typeof body === 'object' ? body : {})
}

/** A JSON-RPC message: a request, a notification or a response. */
export interface Message {
  jsonrpc?: '2.0'
  id?: string | number | null
  method?: string
  params?: Params
  result?: Result
  error?: RpcError
}

export interface Params {
  [name: string]: unknown
  _meta?: Record<string, unknown>
}

interface Result {
  [name: string]: unknown
  protocolVersion?: unknown
  capabilities?: { resources?: object }
  /** Since 2026-07-28: `complete`, or `input_required` with questions to a person. */
  resultType?: string
  inputRequests?: Record<string, { method: string; params: Params }>
  requestState?: unknown
}

export interface RpcError {
  code: number
  message: string
  data?: unknown
}

/** The code of errors that have no better one. */
export const SERVER_ERROR = -32000

export const methodOf = (message: Message | Message[]) =>
  Array.isArray(message) ? undefined : message.method

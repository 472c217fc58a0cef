export type HostErrorKind =
  | 'forbidden'
  | 'invalid'
  | 'limited'
  | 'missing'
  | 'unauthorized'
  | 'unreachable'

/** Why a call to a code host failed, in words for the people of the board. */
export class HostError extends Error {
  constructor(
    readonly kind: HostErrorKind,
    message: string,
    /** When the host accepts requests again. */
    readonly until?: Date,
  ) {
    super(message)
  }
}

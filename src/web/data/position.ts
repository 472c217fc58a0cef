let newest: string | undefined

/**
 * The newest position of the database that this page knows, from its own writes and from events. It
 * accompanies requests, so that replicas may answer those that see at least as much.
 */
export const newestPosition = (): string | undefined => newest

/** Positions are texts of the same length, and the greater one is the newer one. */
export function notePosition(position: string | null | undefined) {
  if (position && position > (newest ?? '')) newest = position
  // Without the position of a write, only the primary is sure to have it.
  else if (!position) newest = undefined
}

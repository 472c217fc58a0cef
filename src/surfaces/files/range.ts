/** A range of bytes; `to` is exclusive. */
export type Range = [from: number, to: number]

/**
 * Parses the Range header. Undefined means the whole file: for several ranges, as RFC 9110 allows,
 * and for an If-Range of another version.
 */
export function parseRange(
  headers: Headers,
  size: number,
  etag: string,
): Range | 'beyond' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '')
  if (!match || (headers.get('if-range') ?? etag) !== etag) return undefined
  const [, first, last] = match as unknown as [string, string, string]
  if (!first && !last) return undefined
  if (!first) return Number(last) === 0 ? 'beyond' : [Math.max(0, size - Number(last)), size]
  const from = Number(first)
  if (from >= size) return 'beyond'
  if (!last) return [from, size]
  return Number(last) < from ? undefined : [from, Math.min(size, Number(last) + 1)]
}

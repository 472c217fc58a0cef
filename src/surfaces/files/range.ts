/** From the first byte up to but not including the second. */
export type Range = [from: number, to: number]

/**
 * The one part that a request asks for. Several at once are answered whole, as RFC 9110 lets us;
 * a part of what is another file by now as well.
 */
export function rangeIn(
  headers: Headers,
  size: number,
  etag: string,
): Range | 'beyond' | undefined {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(headers.get('range')?.trim() ?? '')
  if (!asked || (headers.get('if-range') ?? etag) !== etag) return undefined
  const [, first, last] = asked as unknown as [string, string, string]
  if (!first && !last) return undefined
  if (!first) return Number(last) === 0 ? 'beyond' : [Math.max(0, size - Number(last)), size]
  const from = Number(first)
  if (from >= size) return 'beyond'
  if (!last) return [from, size]
  return Number(last) < from ? undefined : [from, Math.min(size, Number(last) + 1)]
}

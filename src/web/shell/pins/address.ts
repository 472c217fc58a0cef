/** The address without the open task. */
export function addressOf(path: string, query: URLSearchParams): string {
  const others = new URLSearchParams(query)
  for (const name of ['task', 'connect']) others.delete(name)
  return others.size ? `${path}?${others}` : path
}

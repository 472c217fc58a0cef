/** The id of the board that is shown, if any. */
export const boardAt = (path: string): number | undefined => {
  const [, id] = /^\/projects\/(\d+)/.exec(path) ?? []
  return id === undefined ? undefined : Number(id)
}

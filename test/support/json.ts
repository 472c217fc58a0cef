/** The JSON of a response. Undefined if it is empty or no JSON; damaged JSON throws. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function parseJson(text: string): any {
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : undefined
}

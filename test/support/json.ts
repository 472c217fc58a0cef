/** Returns undefined if the text is no JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function parseJson(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

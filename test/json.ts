/** What an answer says, whatever its shape; nothing where it is no JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export function parse(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

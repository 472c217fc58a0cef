/** Whether a day or time in ISO 8601 exists: 30 February has the form of a day, too. */
export function isRealDate(text: string): boolean {
  const day = text.slice(0, 10)
  if (Number.isNaN(Date.parse(text)) || Number.isNaN(Date.parse(day))) return false
  return new Date(Date.parse(day)).toISOString().startsWith(day)
}

import { fault } from '../../../../kernel/fault.ts'

/** Two equal options would make the answer ambiguous. */
export function checkOptions(options: readonly string[]): void {
  const seen = new Set<string>()
  for (const option of options) {
    const read = option.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
    if (!read)
      throw fault.invalid('options', 'required', 'options contains an empty option', option)
    if (seen.has(read))
      throw fault.invalid(
        'options',
        'conflict',
        `options contains "${option}" twice`,
        option,
        'Send 2 to 20 different options',
      )
    seen.add(read)
  }
}

export function checkSelected(options: readonly string[], selected: string): void {
  if (options.includes(selected)) return
  throw fault.invalid(
    'selected_option',
    'out_of_range',
    'selected_option must be exactly one of the options',
    selected,
    `The options are: ${options.map((option) => `"${option}"`).join(', ')}`,
  )
}

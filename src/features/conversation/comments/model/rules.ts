import { fault } from '../../../../kernel/fault.ts'

const EMOJI = /^\p{RGI_Emoji}$/v
/** Variation selector that requests the emoji form of a character that also has a text form. */
const EMOJI_PRESENTATION = '\uFE0F'

/** Returns the emoji in its canonical form: ❤ without a variation selector is a text character. */
export function parseEmoji(input: string): string {
  const emoji = [input, input + EMOJI_PRESENTATION].find((candidate) => EMOJI.test(candidate))
  if (emoji) return emoji
  throw fault.invalid(
    'emoji',
    'invalid_format',
    'emoji must be a single emoji',
    input,
    'For example 👍, ❤️ or 🎉; percent-encode it in a URL',
  )
}

import { fault } from '../../kernel/fault.ts'

const EMOJI = /^\p{RGI_Emoji}$/v
/** Asks for the coloured form of a sign that has a plain one. */
const COLOURED = '\uFE0F'

/** The emoji as everybody writes it: ❤ is a sign of text until it is asked to be red. */
export function emojiIn(given: string): string {
  const found = [given, given + COLOURED].find((one) => EMOJI.test(one))
  if (found) return found
  throw fault.invalid(
    'emoji',
    'invalid_format',
    'emoji must be one emoji and nothing else',
    given,
    'Such as 👍, ❤️ or 🎉; in an address it is percent-encoded',
  )
}

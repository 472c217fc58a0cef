import { taskLink } from '../../source.ts'
import { type Json, stringOf } from '../shared/json.ts'

const CARD_URL =
  /(\[[^\]\n]*\]\(|\[|<)?https?:\/\/trello\.com\/c\/([A-Za-z0-9]{8})(?:\/[\w%.~-]*)?(>?)/g

/** The cards of the board by the short ids in their addresses. */
export class CardLinks {
  private readonly cards = new Map<string, { id: string; name: string }>()

  constructor(cards: readonly Json[]) {
    for (const card of cards)
      this.cards.set(stringOf(card.shortLink), { id: stringOf(card.id), name: stringOf(card.name) })
  }

  /** The id of the card with that address. */
  find(url: string): string | undefined {
    const short = /^https?:\/\/trello\.com\/c\/([A-Za-z0-9]+)/.exec(url)?.[1]
    return short === undefined ? undefined : this.cards.get(short)?.id
  }

  /** A mirrored card has the address of its original as its name. */
  nameOf(name: string): string {
    const short = /^https?:\/\/trello\.com\/c\/([A-Za-z0-9]+)\S*$/.exec(name.trim())?.[1]
    return (short === undefined ? undefined : this.cards.get(short)?.name) ?? name
  }

  /** Replaces links to cards of the board by links to their tasks. */
  replace(text: string): string {
    return text.replace(
      CARD_URL,
      (match, before: string | undefined, short: string, after: string) => {
        const card = this.cards.get(short)
        if (!card) return match
        const target = taskLink(card.id)
        const name = escapeText(card.name)
        if (before?.endsWith('](')) {
          const isAddress = /^\[https?:\/\/trello\.com\/c\//.test(before)
          return `${isAddress ? `[${name}](` : before}${target}${after}`
        }
        if (before === '[') return `[${name}${after}`
        return `[${name}](${target})${before === '<' ? '' : after}`
      },
    )
  }
}

const escapeText = (name: string) => name.replace(/\s+/g, ' ').replace(/[[\]\\`*_<>]/g, '\\$&')

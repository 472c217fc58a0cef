import type { TurnEnd } from './types.ts'

/** Approximate tokens of a text: four bytes each. Bytes, so that no alphabet counts too little. */
export const approximateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** Counts the tokens of a turn against its limit. */
export class TokenMeter {
  readonly usage: TurnEnd['usage'] = { tokens_in: 0, tokens_out: 0 }

  constructor(private readonly limit: number) {}

  get remaining(): number {
    return this.limit - this.usage.tokens_in - this.usage.tokens_out
  }

  count({ tokens_in, tokens_out }: TurnEnd['usage']): void {
    this.usage.tokens_in += tokens_in
    this.usage.tokens_out += tokens_out
  }
}

/** The turn used up its tokens. */
export class TokensExhausted extends Error {}

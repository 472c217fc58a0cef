import type { Ended } from './types.ts'

/** Tokens of a text, roughly: four bytes each, so that no alphabet is held for nothing. */
export const roughly = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4)

/** What a turn takes, and how much it may. */
export class Meter {
  readonly usage: Ended['usage'] = { tokens_in: 0, tokens_out: 0 }

  constructor(private readonly most: number) {}

  get left(): number {
    return this.most - this.usage.tokens_in - this.usage.tokens_out
  }

  count({ tokens_in, tokens_out }: Ended['usage']): void {
    this.usage.tokens_in += tokens_in
    this.usage.tokens_out += tokens_out
  }
}

/** More tokens are gone than a turn may take. */
export class Spent extends Error {}

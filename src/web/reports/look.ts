import { useSearchParams } from 'wouter'
import type { Me } from '../frame/places.ts'
import { boardOf } from './own.ts'

export const KINDS = { time: 'Time', flow: 'Flow', saved: 'Saved' } as const
export type Kind = keyof typeof KINDS

/** What is asked for stands in the address, so that a link shows what you see. */
export function useLook() {
  const [query, setQuery] = useSearchParams()
  const of = query.get('of') ?? ''
  const put = (more: Record<string, string | undefined>) =>
    setQuery(
      (now) => {
        for (const [name, value] of Object.entries(more))
          if (value) now.set(name, value)
          else now.delete(name)
        return now
      },
      { replace: true },
    )
  const kind: Kind = Object.hasOwn(KINDS, of) ? (of as Kind) : 'time'
  return { kind, query, put }
}

export type Look = ReturnType<typeof useLook>

/** The board that is asked for, or else the one that somebody was at last. */
export function boardIn({ query }: Look, me: Me): number | undefined {
  const asked = Number(query.get('board'))
  return asked || boardOf(me)
}

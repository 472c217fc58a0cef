import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { Input } from '../../data/client.ts'
import { plus } from '../../parts/days.ts'
import { momentOf } from '../../parts/zone.ts'
import { KINDS } from './words.ts'

export type Asked = Pick<Input<'audit.own'>, 'user_id' | 'since' | 'until' | 'query'>
export type Field = 'who' | 'kind' | 'from' | 'to'

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
const MIDNIGHT = '00:00'

/** What of the log is shown; it stands in the address. */
export function useLook() {
  const [query, setQuery] = useSearchParams()
  const read = (name: Field) => query.get(name) ?? ''
  const [who, kind, from, to] = [read('who'), read('kind'), read('from'), read('to')]
  const asked = useMemo((): Asked => {
    const user_id = Number(who)
    return {
      ...(user_id > 0 && { user_id }),
      ...(Object.hasOwn(KINDS, kind) && { query: kind }),
      ...(isDay(from) && { since: momentOf(from, MIDNIGHT) }),
      // The last day counts as a whole.
      ...(isDay(to) && { until: momentOf(plus(to, 1), MIDNIGHT) }),
    }
  }, [who, kind, from, to])
  return {
    ...{ who, kind, from, to, asked, isNarrow: Object.keys(asked).length > 0 },
    put: (name: Field, value: string) =>
      setQuery(
        (now) => {
          if (value) now.set(name, value)
          else now.delete(name)
          return now
        },
        { replace: true },
      ),
    clear: () => setQuery(new URLSearchParams(), { replace: true }),
  }
}
export type Look = ReturnType<typeof useLook>

import { keyOf, useAct, useCache } from '../data/cache.ts'
import { type Input, type Output, wordsOf } from '../data/client.ts'
import type { Me } from '../frame/places.ts'
import { complain, say } from '../frame/toasts.tsx'

type Changes = Input<'user_context.update_profile'>
type Profile = Output<'user_context.get'>['profile']

const CONTEXT = keyOf('user_context.get', {})

/** Changes what somebody is known by: shown at once, and taken back where it is refused. */
export function useProfile(me: Me) {
  const cache = useCache()
  const put = (changes: Partial<Profile>) =>
    cache.setQueryData<Me>(
      CONTEXT,
      (now) => now && { ...now, profile: { ...now.profile, ...changes } },
    )
  const before = (changes: Changes): Changes => {
    const names = Object.keys(changes) as (keyof Changes)[]
    return Object.fromEntries(names.map((name) => [name, me.profile[name] ?? null]))
  }
  const { finish } = useAct('user_context.update_profile', {
    line: 'profile',
    ahead(changes) {
      const was = before(changes)
      put(changes)
      return () => put(was as Partial<Profile>)
    },
    done: ({ changed: _, ...profile }) => put(profile),
  })
  /** Tells of it in these words, with the way back. */
  const save = async (changes: Changes, words: string) => {
    const was = before(changes)
    await finish(changes)
    say(words, () => void finish(was).catch((error) => complain(wordsOf(error))), 'profile')
  }
  return {
    save,
    choose: (changes: Changes, words: string) => void save(changes, words).catch(failed),
  }
}

export const failed = (error: unknown) => complain(wordsOf(error))

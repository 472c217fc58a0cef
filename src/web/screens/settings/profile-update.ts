import { patchQuery, useOperationMutation } from '../../data/cache.ts'
import type { Input, Output } from '../../data/client.ts'
import type { Me } from '../../entities/user/me.ts'
import { showError, showToast } from '../../kit/toasts.tsx'

type Changes = Input<'user_context.update_profile'>
type Profile = Output<'user_context.get'>['profile']

/** Changes the user's profile optimistically; reverts if the server refuses. */
export function useProfile(me: Me) {
  const patchProfile = (changes: Partial<Profile>) =>
    void patchQuery('user_context.get', {}, (current) => ({
      ...current,
      profile: { ...current.profile, ...changes },
    }))
  const valuesBefore = (changes: Changes): Changes => {
    const names = Object.keys(changes) as (keyof Changes)[]
    return Object.fromEntries(names.map((name) => [name, me.profile[name] ?? null]))
  }
  const { mutateAsync } = useOperationMutation('user_context.update_profile', {
    line: 'profile',
    optimistic(changes) {
      const previous = valuesBefore(changes)
      patchProfile(changes)
      return () => patchProfile(previous as Partial<Profile>)
    },
    onLast: ({ changed: _, ...profile }) => patchProfile(profile),
  })
  /** Saves changes and shows a message with undo. */
  const save = async (changes: Changes, message: string) => {
    const previous = valuesBefore(changes)
    await mutateAsync(changes)
    showToast(message, () => void mutateAsync(previous).catch(showError), 'profile')
  }
  return {
    save,
    choose: (changes: Changes, message: string) => void save(changes, message).catch(showError),
  }
}

import { useSyncExternalStore } from 'react'
import { cache } from './cache.ts'
import { ask, whenSignedOut } from './client.ts'
import { sendWaiting } from './waiting.ts'

let isOver = false
const heard = new Set<() => void>()

function put(over: boolean) {
  if (over === isOver) return
  isOver = over
  for (const tell of heard) tell()
}

export const signedOut = () => put(true)
whenSignedOut(signedOut)

/** Whether the session has ended while the app was open. */
export const useSignedOut = () =>
  useSyncExternalStore(
    (tell) => {
      heard.add(tell)
      return () => heard.delete(tell)
    },
    () => isOver,
  )

/** Goes on where the same person has signed in again; answers who it is where it is another. */
export async function goOn(user_id: number | undefined): Promise<string | undefined> {
  const { profile } = await ask('user_context.get', {})
  if (profile.user_id !== user_id) return profile.display_name
  put(false)
  await sendWaiting()
  void cache.invalidateQueries()
  return undefined
}

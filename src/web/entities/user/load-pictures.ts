import { useEffect } from 'react'
import { useOperation } from '../../data/cache.ts'
import { keyOf } from './actor.ts'
import { pictures } from './pictures.ts'

/** Loads the versions of all pictures, and again when somebody changes one. */
export function useLoadPictures() {
  const { data } = useOperation('avatars.versions', {})
  useEffect(() => {
    if (!data) return
    const versionOf = (one: (typeof data.avatars)[number]) =>
      [keyOf({ kind: one.agent_id ? 'agent' : 'person', name: '', ...one }), one.version] as const
    pictures.set(new Map(data.avatars.map(versionOf)))
  }, [data])
}

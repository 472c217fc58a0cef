import { useEffect } from 'react'
import { hasServiceWorker, registerServiceWorker } from '../data/service-worker.ts'
import { useLoadPictures } from '../entities/user/load-pictures.ts'
import type { Me } from '../entities/user/me.ts'
import { Previews } from './previews/previews.tsx'

/** What every screen has but no first paint needs. */
export default function Later({ me }: { me: Me }) {
  useLoadPictures()
  useEffect(() => {
    // Without it, everything but push messages and reading offline works.
    if (!hasServiceWorker) return
    registerServiceWorker().catch(() => {})
    // Also loaded on demand by the start without a connection, so it has to be a file of its own.
    import('../data/offline-data.ts').then((data) => data.saveForOffline()).catch(() => {})
  }, [])
  return <Previews me={me} />
}

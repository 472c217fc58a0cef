import { useLoadPictures } from '../entities/user/load-pictures.ts'
import type { Me } from '../entities/user/me.ts'
import { Previews } from './previews/previews.tsx'

/** What every screen has but no first paint needs. */
export default function Later({ me }: { me: Me }) {
  useLoadPictures()
  return <Previews me={me} />
}

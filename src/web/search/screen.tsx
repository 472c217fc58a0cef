import type { Me } from '../frame/places.ts'

export default function Search({ me }: { me: Me }) {
  return <h1>Search of {me.profile.display_name}</h1>
}

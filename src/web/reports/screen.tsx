import type { Me } from '../frame/places.ts'

export default function Reports({ me }: { me: Me }) {
  return <h1>Reports of {me.profile.display_name}</h1>
}

import type { Me } from '../frame/places.ts'

export default function Agents({ me }: { me: Me }) {
  return <h1>Agents of {me.profile.display_name}</h1>
}

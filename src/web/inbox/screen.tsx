import type { Me } from '../frame/places.ts'

export default function Inbox({ me }: { me: Me }) {
  return <h1>Inbox of {me.profile.display_name}</h1>
}

import type { PartProps } from './screen.tsx'

export default function Profile({ me }: PartProps) {
  return <h1>Profile of {me.profile.display_name}</h1>
}

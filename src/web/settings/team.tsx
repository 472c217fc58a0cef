import type { PartProps } from './screen.tsx'

export default function Team({ me }: PartProps) {
  return <h1>Team of {me.profile.display_name}</h1>
}

import type { PartProps } from './screen.tsx'

export default function Board({ me }: PartProps) {
  return <h1>Board of {me.profile.display_name}</h1>
}

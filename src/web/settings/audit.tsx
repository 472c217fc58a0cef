import type { PartProps } from './screen.tsx'

export default function Audit({ me }: PartProps) {
  return <h1>Audit of {me.profile.display_name}</h1>
}

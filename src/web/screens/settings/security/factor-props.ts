import type { Output } from '../../../data/client.ts'

export interface FactorProps {
  factors: Output<'factors.list'>
  reload(): void
  /** Called after a factor was added. */
  onAdded(): Promise<void>
}

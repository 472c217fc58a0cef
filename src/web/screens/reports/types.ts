import type { Output } from '../../data/client.ts'
import type { ReportState } from './report-state.ts'

export type Report = Output<'reports.get'>

export type FlowReport = Output<'flow.report'>

export interface FlowProps {
  flow: FlowReport
  state: ReportState
  board: string
}

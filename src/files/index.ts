import type { FileStore } from '../kernel/services.ts'
import { diskFiles } from './disk.ts'
import { type Bucket, bucketFiles } from './s3.ts'

export type { Bucket } from './s3.ts'

/** Uses the bucket if one is configured, else the folder. */
export const openFiles = (folder: string, bucket: Bucket | undefined): FileStore =>
  bucket ? bucketFiles(bucket) : diskFiles(folder)

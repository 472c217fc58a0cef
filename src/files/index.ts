import type { FileStore } from '../kernel/outside.ts'
import { diskFiles } from './disk.ts'
import { type Bucket, bucketFiles } from './s3.ts'

export type { Bucket } from './s3.ts'

/** In a bucket where there is one, else in a folder. */
export const openFiles = (folder: string, bucket: Bucket | undefined): FileStore =>
  bucket ? bucketFiles(bucket) : diskFiles(folder)

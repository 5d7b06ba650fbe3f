/** The disk on which the storage keeps its data. */
export interface Disk {
  /** Free bytes; undefined while they are not known, and without a disk. */
  free(): number | undefined;
}

// Tiles of bodies.
// groups 1, threads 64, arguments tiles=3
KERNEL nbody(GLOBAL const float *px, GLOBAL float *ax, int tiles) {
  SHARED float s[64];
  int t = TX;
  float me = px[BX * 64 + t], a = 0.0f;
  for (int tile = 0; tile < tiles; tile++) {
    s[t] = px[tile * 64 + t];
    SYNC; // needed
    for (int j = 0; j < 64; j++) { float d = s[j] - me; a += d * d; }
    SYNC; // needed
  }
  ax[BX * 64 + t] = a;
}

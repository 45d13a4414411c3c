// The program that owns the precompiled header of the test programs.
int main() {}
